// satisfied
E<> P.B && total == 8
// violated
E<> P.C
// satisfied
A[] exists (i : id) forall (j : id) a[i] <= a[j] && (sum (k : int[1, 2]) a[k]) == 5
