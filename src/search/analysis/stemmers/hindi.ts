import { endings, replace } from './endings.ts'

/** Stems a Hindi word, by the algorithm of Snowball: https://snowballstem.org/algorithms/hindi/stemmer.html */
export const hindi = (word: string): string => {
  const ending = suffixes(word, 1, ({ suffix, action }) => action.test(word.slice(1, word.length - suffix.length)))
  return ending ? replace(word, ending.suffix) : word
}

/**
 * Endings, with the condition for the rest of the word. An ending that begins with a consonant is removed only after a consonant
 * letter.
 */
const suffixes = endings<RegExp>({
  [`
    ् अ आ इ ई उ ऊ ए ओ एं ओं आं उआं उएं उओं आएं आओं इयां इयों आइयां आइयों आँ इयाँ आइयाँ अताएं अताओं अनाएं अनाओं अता अती
    ईं अतीं अते आता आती आतीं आते अना अनी अने आना आने ऊंगा ऊंगी आऊंगा आऊंगी एंगे एंगी आएंगे आएंगी ओगे ओगी आओगे आओगी एगा
    एगी आएगा आएगी आया आए आई आईं इए आओ आइए अकर आकर ा ि ी ु ू े ो ें ों ां ुआं ुएं ुओं ाएं ाओं ियां ियों ाइयां ाइयों ाँ
    ियाँ ाइयाँ ीं ाता ाती ातीं ाते ाना ाने ूंगा ूंगी ाऊंगा ाऊंगी ेंगे ेंगी ाएंगे ाएंगी ोगे ोगी ाओगे ाओगी ेगा ेगी ाएगा
    ाएगी ाया ाए ाई ाईं िए ाओ ाइए ाकर
  `]: /$/,
  'ताएं ताओं नाएं नाओं ता ती तीं ते ना नी ने कर':
    /[\u0915-\u0928\u092a-\u0930\u0932\u0933\u0935-\u0939\u093c\u0929\u0931\u0934\u0958-\u095f]$/,
})
