import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import type { Page } from './pages.ts'

const own = new URL('reference/', import.meta.url)
const swaggerUi = new URL('.', pathToFileURL(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')))

const file = (path: string, folder: URL, name: string, type: string): [string, Page] => [
  path,
  { type: `${type}; charset=utf-8`, content: () => readFile(new URL(name, folder)) },
]

/**
 * The API reference with forms to try each operation, at `/docs`. It shows the document that the service itself serves.
 * @param demoKey the credential to begin with, if the demo catalog has been loaded
 */
export const referencePages = (demoKey: string | undefined): [string, Page][] => [
  file('/docs', own, 'index.html', 'text/html'),
  file('/docs/reference.js', own, 'reference.js', 'text/javascript'),
  file('/docs/swagger-ui.css', swaggerUi, 'swagger-ui.css', 'text/css'),
  file('/docs/swagger-ui-bundle.js', swaggerUi, 'swagger-ui-bundle.js', 'text/javascript'),
  ['/docs/demo-key.json', { type: 'application/json', content: () => JSON.stringify({ key: demoKey ?? null }) }],
]
