import type { ApiRequest } from './api.ts'

/** A request in the languages that people copy it in. Each runs as it is, without packages. */
export const snippets: Record<string, (request: ApiRequest, origin: string) => string> = {
  curl: ({ path, headers, body }, origin) =>
    [
      `curl -i --compressed ${quoted(origin + path)}`,
      ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
      ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(JSON.parse(body)))}`]),
    ].join(' \\\n  '),
  Node: (
    { method, path, headers, body },
    origin,
  ) => `const response = await fetch(${JSON.stringify(origin + path)}, {
  method: '${method}',
  headers: ${indented(JSON.stringify(headers, null, 2))},${
    body ? `\n  body: JSON.stringify(${indented(body)}),` : ''
  }
})
console.log(response.status, await response.text())`,
  Python: ({ method, path, headers, body }, origin) => `import urllib.error
import urllib.request

request = urllib.request.Request(
    ${JSON.stringify(origin + path)},
    method="${method}",
    headers=${JSON.stringify(headers)},${body ? `\n    data=${rawText(body)}.encode(),` : ''}
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

/** JSON as a text of Python that keeps every backslash. Three quotes would end it. */
const rawText = (json: string): string => `r'''${json.replaceAll(/'(?='')/g, '\\u0027')}'''`
