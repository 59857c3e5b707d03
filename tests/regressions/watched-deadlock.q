// violated: it may go round L0 for ever
A<> deadlock
// satisfied
E[] not deadlock
