// Stylesheet of the live page, on which caught requests appear (page.ts).

export const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--accent:light-dark(#0b5cad,#7cb8ff)}
*{box-sizing:border-box}
body{margin:0;padding:1rem;font:16px/1.5 system-ui,sans-serif}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem 1rem;padding-bottom:1rem;border-bottom:1px solid var(--line)}
h1{font-size:1.25rem;margin:0;overflow-wrap:anywhere}
h2{font-size:1.1rem;margin:0;overflow-wrap:anywhere}
h3{font-size:.9rem;margin:1.25rem 0 .25rem}
header p{margin:0;flex:1}
button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:6px;padding:.35rem .8rem;cursor:pointer}
button:hover{border-color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
article:focus{outline:none}
main{display:grid;gap:1.5rem;padding-top:1rem}
main>*{min-width:0}
@media(min-width:48rem){main{grid-template-columns:minmax(18rem,2fr) 3fr}nav{position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto}}
@media(max-width:47.99rem){nav{max-height:40vh;overflow-y:auto}}
ul{list-style:none;margin:0;padding:3px}
li button{display:flex;width:100%;gap:.75rem;align-items:baseline;text-align:left;border-color:transparent;border-bottom-color:var(--line);border-radius:0}
li button[aria-current]{background:color-mix(in srgb,var(--accent) 14%,transparent)}
li b{text-transform:uppercase;font:700 .75em/1 ui-monospace,monospace;color:var(--accent)}
li span{flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
time{font-size:.8em;font-variant-numeric:tabular-nums;white-space:nowrap}
table{border-collapse:collapse;width:100%;font-size:.9rem;table-layout:fixed}
th,td{border-top:1px solid var(--line);padding:.3rem .8rem .3rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere;white-space:pre-wrap}
th{width:40%;font-weight:600}
pre{margin:0;padding:.75rem;border:1px solid var(--line);border-radius:6px;font-size:.85rem;max-height:30rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere}
code,pre{font-family:ui-monospace,monospace}
code{overflow-wrap:anywhere}`
