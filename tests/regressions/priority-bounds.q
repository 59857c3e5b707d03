// violated: High can always go
E<> Low.L1
