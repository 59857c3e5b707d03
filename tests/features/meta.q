// violated
E<> rounds == 3
