// violated
inf{P0.L1 && y == 3 && n == 2}: cost
