import { html, raw } from 'hono/html'
import { invalid } from '#core/failure'
import type { Env } from '../bindings.ts'
import type { CardPage } from './contract.ts'
import { formatMoney } from './currency.ts'
import { type Language, languageOf, texts } from './language.ts'
import { show } from './layout.ts'
import { script } from './page-script.ts'
import { standIn } from './simulated-widget.ts'
import type { Texts } from './texts/texts.ts'
import { type Widget, widgetOf } from './widget.ts'

interface Asked {
  env: Env
  request: Request
  url: URL
  params: CardPage
  /** The component's own address. */
  base: string
}

/** What the payer pays and to whom, with a button that opens the processor's form for the card. */
export function cardPage({ env, request, url, params, base }: Asked): Promise<Response> {
  const widget = widgetOf(env)
  checkReturns(env, params)
  const language = languageOf(request.headers.get('accept-language'), url)
  const said = texts[language]
  const sum = formatMoney(language, params.sum, params.currency)
  const long = sum.length > 14 ? raw(' class="long"') : ''
  const recipient = env.PAYMENT_MERCHANT_NAME || new URL(base).host
  return show({
    language,
    url,
    title: `${sum} · ${recipient}`,
    main: html`<main>
${widget.url ? '' : html`<p class="test">${said.standIn}</p>`}
<p class="recipient"><span>${said.recipient}</span> <bdi>${recipient}</bdi></p>
<h1><span>${said.amount}</span> <strong${long}>${sum}</strong></h1>
<dl>
<div><dt>${said.purpose}</dt><dd><bdi>${params.description}</bdi></dd></div>
<div><dt>${said.account}</dt><dd><bdi>${params.account}</bdi></dd></div>
</dl>
<div id="notice" role="alert" tabindex="-1"></div>
<button id="pay" type="button"${long}>${said.pay(sum)}</button>
<noscript><p class="notice">${said.withoutScript} <a href="?${url.searchParams.toString()}">${said.reload}</a></p></noscript>
<p class="secure">${lock}<span>${said.secure(widget.processor)}</span></p>
${params.fail_url ? html`<p class="back"><a href="${params.fail_url}" rel="noreferrer">${said.back(hostOf(params.fail_url))}</a></p>` : ''}
</main>`,
    scripts: (
      nonce,
    ) => html`<script id="data" type="application/json">${raw(inScript(dataOf(params, widget, language, base)))}</script>
${widget.url ? '' : html`<script nonce="${nonce}">${raw(standIn)}</script>`}
<script nonce="${nonce}">${raw(script)}</script>`,
    widget,
  })
}

/** Keeps the page from sending payers on to strangers, where the operator has said who is none. */
function checkReturns({ PAYMENT_RETURN_ORIGINS = '' }: Env, { success_url, fail_url }: CardPage) {
  const allowed = PAYMENT_RETURN_ORIGINS.split(',').flatMap((origin) => origin.trim().replace(/\/+$/, '') || [])
  if (allowed.length === 0) return
  for (const [name, target] of Object.entries({ success_url, fail_url }))
    if (target && !allowed.includes(new URL(target).origin))
      throw invalid(name, 'Must lead to one of the origins in PAYMENT_RETURN_ORIGINS')
}

const hostOf = (url: string) => new URL(url).host

/** The widget's own names for the languages. */
const locales: Record<Language, string> = { en: 'en-US', ru: 'ru-RU', kk: 'kk' }

function dataOf(params: CardPage, { url, publicId }: Widget, language: Language, base: string) {
  const { account, sum, description, currency, success_url, fail_url } = params
  return {
    widget: url?.href,
    locale: locales[language],
    payment: {
      publicId,
      description,
      amount: Number(sum),
      currency,
      accountId: account,
      skin: 'mini',
      autoClose: 3,
      ...redirects({ successRedirectUrl: success_url, failRedirectUrl: fail_url }),
    },
    successUrl: success_url,
    failUrl: fail_url,
    texts: spoken(texts[language], params),
    ...(!url && { notifications: base }),
  }
}

/** Where a payer goes whom the form sends to the application of his bank. */
const redirects = (common: Record<string, string | undefined>) =>
  Object.values(common).some(Boolean) && { configuration: { common } }

/** What the page's script says. */
const spoken = (said: Texts, { success_url }: CardPage) => ({
  opening: said.opening,
  again: said.again,
  proceed: said.proceed,
  notLoaded: said.notLoaded,
  failed: said.failed,
  paid: success_url ? { title: said.paid.title, text: said.returning(hostOf(success_url)) } : said.paid,
})

/** JSON that ends no script element, and has no line separator that scripts once took for a line's end. */
const inScript = (value: unknown) =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const lock = raw(
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path fill="currentColor" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z"/></svg>',
)
