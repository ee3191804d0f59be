// Tables of the endings that the Basque stemmer removes.
import { endings } from './endings.ts'

/** What happens to a word with the ending: it is removed if it lies in the region, or in any place replaced by `kept`. */
export type EndingAction = { region: 'rv' | 'r1' | 'r2'; kept?: undefined } | { kept: string }

/** Endings of verbs, and of nouns that are derived from verbs. */
export const verbs = endings<EndingAction>({
  [`
    le la tzaile aldatu atu tzailea taile tailea pera gale galea gura kura kor korra or orra tun tuna gaitz gaitza
    kaitz kaitza ezin ezina tezin tezina errez erreza karri karria tzaga tzaka tzake tzeke ez eza tzez keta eta etan
    pen pena tze atze kuntza kunde kundea kune kunea kuna kera era kizun kizuna dura tura men mena go ago tio taldi
    taldia aldi aldia gune gunea bide bidea pide pidea gai gaia ki kin rekin kina kari karia ari tari etari gailu
    gailua kide kidea ide idea du ka kan an ean tu lari tatu rean tarazi arazi tzat bera dako
  `]: { region: 'rv' },
  'garri garria tza': { region: 'r2' },
  atseden: { kept: 'atseden' },
  arabera: { kept: 'arabera' },
  baditu: { kept: 'baditu' },
})

/** Endings of nouns, which are removed after those of verbs. */
export const nouns = endings<EndingAction>({
  [`
    ari aria bizia kari karia lari laria tari taria zain zaina tzain tzaina zale zalea tzale tzalea aizun orde ordea
    burua ohi ohia kintza gintzo gintzu tzu tzua tzo tzoa kuntza talde taldea eria keria teria di za ada tara etara
    tra ta tegi tegia keta z zko zkoa ti tia tsu tsua zu zua bera pera zto ztoa asi asia gile gilea estu estua larri
    larria nahi nahia koi koia oi oia goi min mina dun duna duru durua duri duria os osa oso osoa ar ara tar dar dara
    tiar tiara liar liara gabe gabea kabe kabea ga ge kada tasun tasuna asun asuna go mendu mendua mentu mentua mendi
    mendia zio zioa zino zinoa zione zionea ezia degi degia egi egia toki tokia leku lekua gintza alde aldea kalde
    kaldea gune gunea une unea una pe pea gibel gibela ondo ondoa arte artea aurre aurrea etxe etxea ola ontzi ontzia
    gela denda taldi taldia aldi aldia te tea zaro zaroa taro taroa oro oroa aro aroa ero eroa eroz eroza ka kan kana
    tako etako takoa kote kotea tzar tzarra handi handia kondo kondoa skila no noa ño ñoa ska xka zka tila to toa tto
    ttoa txo txoa txu txua anda anga urren urrena gai gaia gei geia eme emea kume kumea sa ko eko koa ena enea ne nea
    kor korra ez eza eta etan ki kia kin kina tu tua du dua ek tarik tariko tan ordu ordua oste ostea tzara ra antza
    behar ro giro ak zp ket kail kaila ail kirri kirria ngo ngoa ñi sko sta koitz koitza na garren garrena kera gerren
    gerrena garna kide tz tuko
  `]: { region: 'rv' },
  'ora garri garria or buru ren tza': { region: 'r2' },
  joka: { kept: 'jok' },
  'tzen ten en tatu': { region: 'r1' },
  trako: { kept: 'tra' },
  minutuko: { kept: 'minutu' },
  zehar: { kept: 'zehar' },
  geldi: { kept: 'geldi' },
  igaro: { kept: 'igaro' },
  aurka: { kept: 'aurka' },
})

/** Endings of adjectives, one of which is removed last. */
export const adjectives = endings<EndingAction>({
  'era ero go tate tade date dade keria ki to ro la gi larik lanik ik ztik rik': { region: 'rv' },
  zlea: { kept: 'z' },
})
