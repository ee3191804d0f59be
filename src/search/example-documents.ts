// Sample documents that the example page (`/_example`) can write to an index, so that users can try a search.
import type { Variant } from './engine/indexed-document.ts'

const lines = `
Copper kettle | Boils water for two cups, and whistles when it is done.
Cast-iron teapot | Keeps green tea warm for an hour.
Travel mug | A lid that does not leak, in a bag that does not mind.
Tea towel | Woven linen, for kettles, cups and wet hands.
Coffee grinder | Grinds beans by hand, as coarse or as fine as you turn it.
Bread knife | A long wavy edge for crusts, from a small forge in the hills.
Cutting board | Oiled oak, thick enough for the longest knife.
Pepper mill | Turns whole peppercorns into something worth tasting.
Garden hose | Twenty metres that neither kink nor freeze.
Watering can | A fine rose for seedlings, five litres for everything else.
Pruning shears | Cut branches as thick as a thumb, and nothing else.
Wheelbarrow | Two handles, one wheel, no complaints.
Bird house | For tits and sparrows; the cat cannot reach in.
Rain barrel | Collects what the sky gives, for what the garden needs.
Walking boots | Waterproof leather for mountain paths and muddy gardens.
Mountain tent | Stands in a storm, packs into a shoe box.
Sleeping bag | Warm to ten degrees below zero, light enough to forget.
Head torch | Lights the path for thirty metres and the map for all night.
Paper map | Needs no battery; folds back, if you are patient.
Pocket compass | Points north, even where there is no signal.
Bicycle bell | Rings politely, carries far.
Bicycle lamp | Charges while you ride, shines on while you wait.
Spare wheel | Fits bicycles with tall tyres.
Repair kit | Patches, glue and levers for punctured tyres.
Reading lamp | Warm light for long evenings with short stories.
Bookshelf | Pine boards that hold more novels than they should.
Writing desk | A drawer for letters, a lid for secrets.
Fountain pen | Writes on both sides of the paper, and on few shirts.
Ink bottle | Blue-black, dries before you turn the page.
Desk clock | Ticks softly enough to write by.
Wool blanket | Knitted slowly, from sheep that were asked first.
Rocking chair | For grandparents, and for those who practise.
Window cleaner | Streaks go, birds stay surprised.
Broom | Sweeps well, even when it is no longer new.
Straßenbesen | Breiter Besen für Höfe und Straßen, mit Stiel aus Esche.
Чайник из меди | Кипятит воду на две чашки и свистит, когда готово.
Тау шатыры | Дауылда да тік тұрады, кішкентай қорапқа сыяды.
Işıklı gece lambası | Uzun akşamlarda sıcak bir ışık verir.
登山帐篷 | 暴风雨中也站得稳，收起来只有鞋盒大小。
東京の地図 | 紙の地図なので電池はいりません。`

const all = lines
  .trim()
  .split('\n')
  .map((line, i) => {
    const [title, text] = line.split(' | ')
    return { code: `sample-${i + 1}`, title: title!, text: text! }
  })

/** Sample documents by variant. They are fictional. Those of typeahead have no title. */
export const samples: Record<Variant, { code: string; title?: string; text: string }[]> = {
  fulltext: all,
  typeahead: all.map(({ code, title, text }) => ({ code, text: `${title}. ${text}` })),
}
