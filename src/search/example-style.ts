// The style sheet of the example page (`/_example`) of fulltext and typeahead, for light and dark mode.

/** Style sheet of the example page. */
export const style = `
:root{color-scheme:light dark;--line:color-mix(in srgb,currentColor 18%,transparent);--accent:light-dark(#0b5cad,#7cb8ff)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:44rem;padding:1rem;font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.25rem;margin:0 0 1rem}
a{color:var(--accent)}
form{display:grid;grid-template-columns:auto 1fr;gap:.5rem 1rem;align-items:center;padding-bottom:.75rem}
form[hidden]{display:none}
#access{grid-template-columns:auto 1fr auto}
input,button{font:inherit;color:inherit;background:none;border:1px solid var(--line);border-radius:6px;padding:.4rem .7rem;min-width:0}
button{cursor:pointer}
button:hover{border-color:var(--accent)}
button:disabled{opacity:.5;cursor:default}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
#state{margin:0;min-height:1.5em}
ol{list-style:none;margin:.5rem 0 1.5rem;padding:0}
li{border-top:1px solid var(--line);padding:.5rem 0;overflow-wrap:anywhere}
mark{background:color-mix(in srgb,var(--accent) 25%,transparent);color:inherit;border-radius:3px}`
