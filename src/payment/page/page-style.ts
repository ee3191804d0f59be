/** Stylesheet of the payer's pages, light and dark. Chooses colours with media queries, since old phones lack the newer `light-dark()`. */
export const style = `
:root{color-scheme:light dark;--ground:#eef1f5;--sheet:#fff;--ink:#17212d;--soft:#536172;--line:#dfe4ea;--accent:#1a56c4;--press:#164aa9;--on:#fff;--good:#17693a;--bad:#a3211a;--wash:#fdf1f0}
@media(prefers-color-scheme:dark){:root{--ground:#0d1117;--sheet:#171d26;--ink:#e9eef4;--soft:#a6b2c0;--line:#2c3643;--accent:#85b4ff;--press:#a3c6ff;--on:#0b1a33;--good:#74d69a;--bad:#ff9d95;--wash:#2a1b1d}}
*{box-sizing:border-box;margin:0}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:1.25rem;padding:2rem 1rem;background:var(--ground);color:var(--ink);font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{width:100%;max-width:27rem;padding:2rem;background:var(--sheet);border:1px solid var(--line);border-radius:1rem;box-shadow:0 1px 2px rgba(10,20,40,.04),0 12px 32px rgba(10,20,40,.06);overflow-wrap:anywhere}
main>*+*{margin-top:1.5rem}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px;border-radius:.25rem}
.test{padding:.5rem .75rem;border:1px dashed var(--soft);border-radius:.5rem;font-size:.875rem;text-align:center}
.recipient span,h1 span,dt{display:block;color:var(--soft);font-size:.875rem;font-weight:400;line-height:1.4}
.recipient{font-size:1.125rem;font-weight:600;line-height:1.4}
h1{font-size:1rem;font-weight:400}
h1 strong{display:block;margin-top:.125rem;font-size:2.375rem;font-weight:700;line-height:1.15;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
h1 .long{font-size:1.625rem}
h1.refused{font-size:1.375rem;font-weight:700;line-height:1.3}
dl{border-top:1px solid var(--line)}
dl>div{padding:.75rem 0;border-bottom:1px solid var(--line)}
dd{white-space:pre-line}
#notice:empty{display:none}
#notice,.notice{padding:1rem;border-left:4px solid var(--bad);border-radius:.375rem;background:var(--wash)}
noscript .notice{margin-top:1.5rem}
#notice h2{font-size:1rem;line-height:1.4}
#notice p{margin-top:.25rem}
#notice a{display:inline-block;margin-top:.5rem;font-weight:600}
#pay{display:block;width:100%;min-height:3.5rem;padding:.75rem 1rem;border:0;border-radius:.75rem;background:var(--accent);color:var(--on);font:inherit;font-size:1.125rem;font-weight:600;font-variant-numeric:tabular-nums;cursor:pointer}
#pay:hover{background:var(--press)}
#pay.long{font-size:1rem}
#pay:focus-visible{border-radius:.75rem}
#pay[aria-disabled]{cursor:progress;background:var(--press)}
.secure{display:flex;gap:.625rem;color:var(--soft);font-size:.875rem;line-height:1.45}
.secure svg{flex:none;margin-top:.125rem}
.back{text-align:center;font-size:.9375rem}
body[data-state=paid] #notice{border-color:var(--good);background:none;padding:.25rem 0 .25rem 1rem}
body[data-state=paid] #pay,body[data-state=paid] .secure,body[data-state=paid] .back,body[data-state=paid] footer{display:none}
dialog{width:calc(100% - 2rem);max-width:22rem;margin:auto;padding:1.5rem;border:1px solid var(--line);border-radius:1rem;background:var(--sheet);color:var(--ink)}
dialog::backdrop{background:rgba(8,14,24,.55)}
dialog button{margin:1rem .75rem 0 0;padding:.625rem 1.25rem;border:1px solid var(--accent);border-radius:.5rem;background:none;color:var(--accent);font:inherit;cursor:pointer}
details{font-size:.875rem;color:var(--soft)}
summary{cursor:pointer}
details dl{margin-top:.75rem}
footer ul{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem 1.25rem;padding:0;list-style:none;font-size:.9375rem}
footer a,footer span{display:inline-block;padding:.5rem .25rem}
footer span{font-weight:600}
@media(max-width:30rem){body{justify-content:flex-start;padding:0 0 1.5rem}main{max-width:none;padding:1.5rem 1.25rem;border-width:0 0 1px;border-radius:0;box-shadow:none}h1 strong{font-size:2rem}h1 .long{font-size:1.1875rem}}
@media(forced-colors:active){#pay{border:2px solid ButtonText}}
`
