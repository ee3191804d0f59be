// NOTICE: stop words of Apache Lucene 8.7 (https://lucene.apache.org), Copyright 2001-2021 The Apache Software
// Foundation; this list: Apache License 2.0.

export const latvian = `
  aiz ap ar apakš ārpus augšpus bez caur dēļ gar iekš iz kopš labad lejpus līdz no otrpus pa par pār pēc pie pirms pret
  priekš starp šaipus uz viņpus virs virspus zem apakšpus un bet jo ja ka lai tomēr tikko turpretī arī kaut gan tādēļ tā
  ne tikvien vien kā ir te vai kamēr diezin droši diemžēl nebūt ik it taču nu pat tiklab iekšpus nedz tik nevis
  turpretim jeb iekam iekām iekāms kolīdz līdzko tiklīdz jebšu tālab tāpēc nekā itin jā jau jel nē nezin tad tikai vis
  tak iekams būt biju biji bija bijām bijāt esmu esi esam esat būšu būsi būs būsim būsiet tikt tiku tiki tika tikām
  tikāt tieku tiec tiek tiekam tiekat tikšu tiks tiksim tiksiet tapt tapi tapāt topat tapšu tapsi taps tapsim tapsiet
  kļūt kļuvu kļuvi kļuva kļuvām kļuvāt kļūstu kļūsti kļūst kļūstam kļūstat kļūšu kļūsi kļūs kļūsim kļūsiet varēt varēju
  varējām varēšu varēsim var varēji varējāt varēsi varēsiet varat varēja varēs
`
