import type { ApiRequest } from './api.ts'

/** The request for a POSIX shell. The body goes on one line; as JSON it is the same. */
export function curlLine({ method, path, headers, body }: ApiRequest, origin: string): string {
  return [
    `curl -i ${quoted(origin + path)}`,
    ...(method === 'GET' || body !== undefined ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(JSON.parse(body)))}`]),
  ].join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
