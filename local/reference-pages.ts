import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Page } from './pages.ts'

const swaggerUi = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

const file = (name: string, type: string): [string, Page] => [
  `/docs/${name}`,
  { type, content: () => readFile(join(swaggerUi, name)) },
]

const text = (content: string, type: string): Page => ({ type, content: () => content })

/**
 * The API reference with try-it, at `/docs`, on the document that the service itself serves.
 * @param demoKey already filled in as the credential, where the demo catalog has been loaded
 */
export const referencePages = (demoKey: string | undefined): [string, Page][] => [
  ['/docs', text(page, 'text/html; charset=utf-8')],
  ['/docs/reference.js', text(script(demoKey), 'text/javascript; charset=utf-8')],
  file('swagger-ui.css', 'text/css; charset=utf-8'),
  file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
  file('favicon-32x32.png', 'image/png'),
]

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference</title>
<link rel="icon" href="/docs/favicon-32x32.png">
<link rel="stylesheet" href="/docs/swagger-ui.css">
<div id="reference"></div>
<noscript>The reference needs JavaScript. The document itself is at <a href="/api/v1/spec">/api/v1/spec</a>.</noscript>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/reference.js"></script>
</html>
`

/** `validatorUrl` none: by default a badge would ask a validator on the internet. */
const script = (demoKey: string | undefined): string => `
const reference = SwaggerUIBundle({
  url: '/api/v1/spec',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: 'none',
  onComplete: () => {
    const demoKey = ${JSON.stringify(demoKey ?? null)}
    if (demoKey) reference.preauthorizeApiKey('bearer', demoKey)
  },
})
`
