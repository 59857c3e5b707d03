// satisfied
E<> P.C && one.marks[0].at == 7 && one.marks[0].seen && two.marks[0].at == 2
// violated
E<> one.marks[1].at != 3
