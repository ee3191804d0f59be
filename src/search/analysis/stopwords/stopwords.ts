/** Lists of stop words by language, each as one text. */
export const stopwords: ReadonlyMap<string, string> = new Map(
  Object.entries({
    english: `a an and are as at be but by for if in into is it no not of on or such that the their then there these they
      this to was will with`,
  }),
)
