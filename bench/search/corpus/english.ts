/** Frequent English words for generated documents, the most frequent first. */
export const english =
  `the of and to in a is that for it was on as with be by at this he are from his not have or an they
which you one had has her we there been more all were their who its but would can will about if no other into when them
time up only some than out these two may then do first any so such new my like our over me she maxResults even what made after
also did many before must through back where much your way well down should because each just those people how too little
state good very make world still own see men work long get here between both life being under never day same another know
while last might us great old year off come since against go came right used take three states himself few house use
during without again place around however home small found mrs thought went say part once general high upon school every
does got united left number course war until always away something fact though water less public put think almost hand
enough far took head yet government system better set told nothing night end why called find going look asked later knew
point next program city business give group toward young days let room president side social given present several order
national second possible rather per face among form important often things looked early white case large need four within
felt along children saw best church ever least power development light thing seemed family interest want members mind
country area others done turned although open god service certain kind problem began different door thus help sense means
whole matter`.split(/\s+/)
