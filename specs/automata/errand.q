// satisfied 40: twenty for the taxi and ten minutes at two each, leaving at once
inf{Traveller.office}: cost

// satisfied 40: who must not be early waits at the office, for nothing
inf{Traveller.office && day >= 12}: cost

// satisfied 10: the taxi is the fastest
inf{Traveller.office}: day
