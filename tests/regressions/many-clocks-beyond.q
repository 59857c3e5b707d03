// satisfied 14
inf{P.b}: cost
