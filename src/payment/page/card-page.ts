// The page on which a payer starts a card payment. The card itself is entered in the processor's form.
import { html, raw } from 'hono/html'
import { invalid } from '#core/failure'
import type { Env } from '../bindings.ts'
import type { CardPage } from './contract.ts'
import { formatMoney } from './currency.ts'
import { type Language, languageOf, texts } from './language.ts'
import { renderPage } from './layout.ts'
import { script } from './page-script.ts'
import { simulatedWidget } from './simulated-widget.ts'
import type { Texts } from './texts/texts.ts'
import { type Widget, widgetOf } from './widget.ts'

interface CardPageCall {
  env: Env
  request: Request
  url: URL
  params: CardPage
  /** Base URL of the payment component. */
  base: string
}

/** Renders the page with the amount, purpose and recipient of the payment, and a button that opens the processor's card form. */
export function cardPage({ env, request, url, params, base }: CardPageCall): Promise<Response> {
  const widget = widgetOf(env)
  checkReturnUrls(env, params)
  const language = languageOf(request.headers.get('accept-language'), url)
  const labels = texts[language]
  const sum = formatMoney(language, params.sum, params.currency)
  const long = sum.length > 14 ? raw(' class="long"') : ''
  const recipient = env.PAYMENT_MERCHANT_NAME || new URL(base).host
  return renderPage({
    language,
    url,
    title: `${sum} · ${recipient}`,
    main: html`<main>
${widget.url ? '' : html`<p class="test">${labels.testNotice}</p>`}
<p class="recipient"><span>${labels.recipient}</span> <bdi>${recipient}</bdi></p>
<h1><span>${labels.amount}</span> <strong${long}>${sum}</strong></h1>
<dl>
<div><dt>${labels.purpose}</dt><dd><bdi>${params.description}</bdi></dd></div>
<div><dt>${labels.account}</dt><dd><bdi>${params.account}</bdi></dd></div>
</dl>
<div id="notice" role="alert" tabindex="-1"></div>
<button id="pay" type="button"${long}>${labels.pay(sum)}</button>
<noscript><p class="notice">${labels.withoutScript} <a href="?${url.searchParams.toString()}">${labels.reload}</a></p></noscript>
<p class="secure">${lock}<span>${labels.secure(widget.processor)}</span></p>
${params.fail_url ? html`<p class="back"><a href="${params.fail_url}" rel="noreferrer">${labels.back(hostOf(params.fail_url))}</a></p>` : ''}
</main>`,
    scripts: (
      nonce,
    ) => html`<script id="data" type="application/json">${raw(inScript(dataOf(params, widget, language, base)))}</script>
${widget.url ? '' : html`<script nonce="${nonce}">${raw(simulatedWidget)}</script>`}
<script nonce="${nonce}">${raw(script)}</script>`,
    widget,
  })
}

/** Prevents open redirects: throws 400 unless the return URLs have an origin in PAYMENT_RETURN_ORIGINS, if it is set. */
function checkReturnUrls({ PAYMENT_RETURN_ORIGINS = '' }: Env, { success_url, fail_url }: CardPage) {
  const allowed = PAYMENT_RETURN_ORIGINS.split(',').flatMap((origin) => origin.trim().replace(/\/+$/, '') || [])
  if (allowed.length === 0) return
  for (const [name, target] of Object.entries({ success_url, fail_url }))
    if (target && !allowed.includes(new URL(target).origin))
      throw invalid(name, 'Must have one of the origins in PAYMENT_RETURN_ORIGINS')
}

const hostOf = (url: string) => new URL(url).host

/** Language codes of the widget. */
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
    texts: scriptTexts(texts[language], params),
    ...(!url && { notifications: base }),
  }
}

/** Configuration of the widget with the URLs to which a payer returns from the application of their bank; empty without URLs. */
const redirects = (common: Record<string, string | undefined>) =>
  Object.values(common).some(Boolean) && { configuration: { common } }

/** Texts that the page's script shows. */
const scriptTexts = (labels: Texts, { success_url }: CardPage) => ({
  opening: labels.opening,
  again: labels.again,
  proceed: labels.proceed,
  notLoaded: labels.notLoaded,
  failed: labels.failed,
  paid: success_url ? { title: labels.paid.title, text: labels.returning(hostOf(success_url)) } : labels.paid,
})

/** JSON that cannot end its script element (XSS), without the line separators that end a line in old JavaScript. */
const inScript = (value: unknown) =>
  JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const lock = raw(
  '<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true" focusable="false"><path fill="currentColor" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z"/></svg>',
)
