/**
 * The query by name. A parameter that comes twice has the list of its values, which no schema accepts: API Gateway
 * joins them with commas instead, so the query is read as it was sent.
 */
export function readQuery(rawQueryString: string): Record<string, string | string[]> {
  // The leading `&` keeps a `?` that belongs to the first name.
  const query = new URLSearchParams(`&${rawQueryString}`)
  return Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [value, ...more] = query.getAll(name) as [string, ...string[]]
      return [name, more.length === 0 ? value : [value, ...more]]
    }),
  )
}
