/**
 * Reads the query from its raw text, because API Gateway joins the values of a repeated parameter with commas. Here a
 * repeated parameter has the list of its values, which no schema accepts.
 * @example readQuery('first=1&first=2&after=x') // { first: ['1', '2'], after: 'x' }
 */
export function readQuery(rawQueryString: string): Record<string, string | string[]> {
  // `URLSearchParams` drops a leading `?`, even if it belongs to the first name.
  const query = new URLSearchParams(`&${rawQueryString}`)
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [value, ...more] = query.getAll(name) as [string, ...string[]]
      return [name, more.length === 0 ? value : [value, ...more]]
    }),
  )
}
