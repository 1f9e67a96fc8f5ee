import { documentationCacheControl } from './http/cache-control.ts'
import { endpoint } from './http/endpoint.ts'
import { problemKinds } from './http/problem-kinds.ts'
import { operations } from './operations/operations.ts'
import { onLambda } from './runtime/on-lambda.ts'
import type { Runtime } from './runtime/runtime.ts'

export const operation = operations['get-error-reference']

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': documentationCacheControl,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

/** The page that the `type` of every problem links to. */
export const create = (base: Pick<Runtime, 'issuer' | 'log'>) => {
  const page = errorPage()
  return endpoint(base, operation, { answer: () => ({ text: page, headers }) })
}

export const handler = await onLambda(create, {})

function errorPage(): string {
  const sections = Object.entries(problemKinds).map(
    ([code, { status, title, cause, remedy }]) =>
      `<h2 id="${code}"><code>${code}</code></h2><p><b>${status} ${title}</b></p>` +
      `<p>${inHtml(cause)}</p><p><i>What to do:</i> ${inHtml(remedy)}</p>`,
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Errors</title>
<style>:root{color-scheme:light dark}body{font:1rem/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
:target{background:#fd03}</style>
<h1>Errors</h1><p>Every error of this API has a <code>code</code>, by which programs tell errors apart.</p>
${sections.join('\n')}
</html>`
}

/** Escapes a text of {@link problemKinds}, and makes elements of its `code`. */
function inHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/`([^`]*)`/g, '<code>$1</code>')
}
