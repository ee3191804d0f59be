// NOTICE: stop words of Apache Lucene 8.7 (https://lucene.apache.org), Copyright 2001-2021 The Apache Software
// Foundation; this list: Apache License 2.0, that of its EnglishAnalyzer.

export const english = `
  a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to
  was will with
`
