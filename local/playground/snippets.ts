import { type ApiRequest, isObject, type Json } from './api.ts'

/** A request in the languages that people copy it in. Each runs as it is, without packages. */
export const snippets: Record<string, (request: ApiRequest, origin: string) => string> = {
  curl: ({ method, path, headers, body }, origin) =>
    [
      `curl -i ${quoted(origin + path)}`,
      ...(method === 'GET' || body !== undefined ? [] : [`-X ${method}`]),
      ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(JSON.parse(body)))}`]),
    ].join(' \\\n  '),
  Node: ({ method, path, headers, body }, origin) => `const response = await fetch(${JSON.stringify(origin + path)}, {
  method: '${method}',
  headers: ${indented(JSON.stringify(headers, null, 2))},${body ? `\n  body: JSON.stringify(${indented(body)}),` : ''}
})
console.log(response.status, await response.text())`,
  Python: ({ method, path, headers, body }, origin) => `import json
import urllib.error
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(origin + path)},
    method="${method}",
    headers=${python(headers)},${body ? `\n    data=json.dumps(${python(JSON.parse(body))}).encode(),` : ''}
)
try:
    response = urllib.request.urlopen(request)
except urllib.error.HTTPError as refusal:
    response = refusal
print(response.status, response.read().decode())`,
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const indented = (text: string): string => text.replaceAll('\n', '\n  ')

/** A text of JSON is one of Python too. Only three words are others. */
function python(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`)
    .join(', ')}}`
}
