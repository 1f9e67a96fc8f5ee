import type { ApiRequest } from './api.ts'

/** The request as a command of a POSIX shell, with the body on one line. */
export function curlLine({ method, path, headers, body }: ApiRequest, origin: string): string {
  return [
    `curl -i ${quoted(origin + path)}`,
    ...(method === 'GET' || body !== undefined ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(JSON.parse(body)))}`]),
  ].join(' \\\n  ')
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
