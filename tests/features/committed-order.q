// violated
E<> between
// satisfied
E<> busy
