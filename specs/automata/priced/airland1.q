// satisfied 700: the published optimum
inf{forall (i : plane_t) Plane(i).done}: cost
