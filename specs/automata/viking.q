// satisfied: they can all get across
E<> V1.safe && V2.safe && V3.safe && V4.safe

// satisfied 60: in an hour, and not faster
inf{V1.safe && V2.safe && V3.safe && V4.safe}: time

// violated
E<> V1.safe && V2.safe && V3.safe && V4.safe && time < 60

// satisfied: the slowest needs his time
A[] V4.safe imply time >= SLOWEST

// violated: nothing makes them go
A<> V4.safe
