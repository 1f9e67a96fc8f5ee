import { forConstants } from './http/constant.ts'
import { errorCodes } from './http/error-codes.ts'
import { cacheableFor, documentationMaxAgeSeconds } from './http/headers.ts'
import { operation } from './http/operation.ts'

const codes = Object.entries(errorCodes)
const linkTo = ([code]: readonly [string, unknown]) => `<a href="#${code}">${code}</a>`
const contents = Array.from(
  Map.groupBy(codes, ([, { status }]) => status),
  ([status, same]) => `<dt>${status}</dt><dd>${same.map(linkTo).join(' ')}</dd>`,
)
const sections = codes.map(
  ([code, { status, title, cause, remedy }]) =>
    `<section id="${code}"><h2><a href="#${code}">${code}</a></h2><p ` +
    `class="title">${status} ${title}</p>` +
    `<p>${inHtml(cause)}</p><p><b>What to do</b> ${inHtml(remedy)}</p></section>`,
)

/** Escapes a text of {@link errorCodes}, and makes elements of its `code`. */
function inHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
}

const style = `
:root{color-scheme:light dark;--paper:#faf9f6;--panel:#fff;--line:#dad6cc;--ink:#22252a;
--quiet:#5c6069;--accent:#1a5a86}
@media(prefers-color-scheme:dark){
:root{--paper:#16181b;--panel:#1d2024;--line:#34383e;--ink:#e7e4dd;--quiet:#a4a9b1;
--accent:#83bfe8}}
body{background:var(--paper);color:var(--ink);font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;
max-width:46rem;padding:0 1rem}
h1{font-size:1.75rem;letter-spacing:-.02em}
h2{font:600 1.0625rem/1.5 ui-monospace,monospace;margin:0}
p{margin:.5rem 0}
a{color:var(--accent);text-underline-offset:.2em}
h2 a{color:inherit;text-decoration:none}
code,dd{font-family:ui-monospace,monospace;font-size:.875em}
dl{display:grid;gap:.25rem 1rem;grid-template-columns:auto 1fr}
dd{margin:0}
dd a{display:inline-block;line-height:1.75rem;margin-right:1rem;text-decoration:none}
dt{line-height:1.75rem}
section,nav{background:var(--panel);border:1px solid var(--line);border-radius:.375rem;
margin:1rem 0;padding:.75rem 1rem}
section:target{border-color:var(--accent);box-shadow:0 0 0 1px var(--accent)}
.title{color:var(--quiet);margin:0}
`

/**
 * The page for people that explains every code. The `type` of a problem links to the code's
 * section.
 */
const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Errors · Embed access</title>
<style>${style}</style></head>
<body><main><h1>Errors</h1>
<p>Every error of this API is <code>application/problem+json</code> with a <code>code</code>.
Programs tell errors apart by it. The <code>requestId</code> of an error finds the request in the
logs.</p>
<nav aria-label="Codes by status"><dl>${contents.join('')}</dl></nav>
${sections.join('\n')}
<section><h2>No code</h2><p>API Gateway itself answers requests that never reach the service, such
as one without a credential, with <code>{"message": "…"}</code> alone.</p></section>
</main></body></html>`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  ...cacheableFor(documentationMaxAgeSeconds),
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

export const handler = await operation('get-error-reference', {
  ...forConstants,
  answer: () => ({ body, headers, isCompressible: true }),
})
