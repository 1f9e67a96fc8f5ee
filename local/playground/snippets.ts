import { type ApiRequest, isObject } from './api.ts'

/** A request in the languages that people copy it in. Each runs as it is, without packages. */
export const snippets: Record<string, (request: ApiRequest, origin: string) => string> = {
  curl: ({ path, headers, body }, origin) =>
    [
      `curl -i ${quoted(origin + path)}`,
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

const words: Record<string, string> = { true: 'True', false: 'False', null: 'None' }

/** A text of JSON is one of Python too, but for three words. */
function python(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  const json = JSON.stringify(value)
  if (!isObject(value)) return words[json] ?? json
  const members = Object.entries(value).map(([name, each]) => `${python(name)}: ${python(each)}`)
  return `{${members.join(', ')}}`
}
