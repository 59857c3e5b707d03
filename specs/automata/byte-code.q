// satisfied: the environment gets to its last sensor change (table 2.2)
E<> Env.S3

// satisfied: both actuators may be on at once
E<> a == ON && b == ON

// satisfied: an actuator follows its sensor within two rounds of the program
A[] (Env.S3 && Env.x > 2000) imply (a == OFF && b == ON)

// satisfied 0: right after the change
inf{Env.S3}: Env.x
