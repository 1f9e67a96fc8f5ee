import { errorPage } from './http/error-page.ts'
import { documentationCacheControl } from './http/headers.ts'
import { operation } from './http/operation.ts'

/** The page that the `type` of every problem links to. */
const text = errorPage()

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': documentationCacheControl,
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
}

export const handler = await operation('get-error-reference', {
  answer: () => ({ text, headers, isCompressible: true }),
})
