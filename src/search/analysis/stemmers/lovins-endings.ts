// Table of the endings that the Lovins stemmer removes.
import { endings } from './endings.ts'

/** Endings, with the pattern that the stem must match for each, in the order of Lovins' conditions A to CC. */
export const suffixes = endings<RegExp>({
  [`
    arizability antialness arisations arizations entialness antaneous antiality arisation arization ativeness
    entations entiality entialize entiation ionalness istically itousness izability izational ableness arizable
    entation entially eousness ibleness icalness ionalism ionality ionalize iousness izations lessness ability aically
    alities aristic arizing ateness atingly atively ativism encible entally entials entiate entness fulness ibility
    icalism icalist icality icalize icianry ination ingness ionally isation ishness istical iteness iveness ivistic
    ivities izement oidally ousness aceous alness ancial ancies ariser arized arizer atable atives efully encies
    encing ential entist eously ialist iality ialize ically icance icians icists ifully ionals ioning ionist iously
    istics lessly nesses oidism acies acity aical alist ality alize arial aries arily arize aroid ately ative ators
    atory ehood eless elity ement enced ences ental ently fully ially icant ician icide icism icist icity iedly ihood
    inate iness ional ioned ished istic ities itous ively ivity oidal oides otide ously able ably aric ates ator eful
    eity ence ency eous hood ials ians ible ibly ical iers iful ious ists less lily ness ogen ward wise yish acy aic
    ata ate ese ful ial ian ics ied ier ily ist ity ium ive oid ous ae ia ic is 's s' a e i o
  `]: /..$/,
  [`
    alistically izationally ationally alistic ational acious ancing ations aging alism anced ances arity ation ingly
    ages ally ance ancy ants atic ions isms ying age ant ism as ly y
  `]: /...$/,
  'allically enting antic ented ent ish': /....$/,
  ionate: /.....$/,
  'eableness ariness elihood izable ature eness ening edly ened enly ely ene ery ed es': /.[^e]$/,
  'ization izers izing ized izer ary ize en': /..[^e]$/,
  'ication action': /..f$/,
  itic: /(.t|ll)$/,
  'ating idine ated': /.[^oe]$/,
  inism: /.[^ae]$/,
  arly: /(..[li]|u.e)$/,
  'ides ide': /(.[^uxs]|os)$/,
  'ines ine': /.[^acem]$/,
  'ings ing': /([^s]..|.s..)$/,
  ars: /.[li]$/,
  ies: /.[^c]$/,
  ion: /..[^ln]$/,
  'one yl': /.[nr]$/,
  on: /(dr|[^t]t)$/,
  or: /(.s|[^o]t)$/,
  um: /.[lmnr]$/,
  us: /.c$/,
  s: /.[^su]$/,
  ar: /(.[li]|u.e)$/,
  'early ealy eal ear': /in$/,
  eature: /.[^f]$/,
  ite: /(.[dflt]|ph|th|er|or|es)$/,
  'allic als al': /(?<!met|ryst)(?<=...)$/,
  inity: /.l$/,
})
