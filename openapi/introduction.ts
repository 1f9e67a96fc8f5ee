export const introduction = `Embed sessions, the workbooks that embed tenants can access, dbt sync history and scheduled notifications.

**Embedding.** Your backend generates a session with what the end user may see, and hands its id to the browser. The
browser redeems it, once, for a signed token.

**Lists** have pages of \`first\` items, \`after\` a cursor. A page may end early: it then has fewer items than \`first\`, even
none. \`pageInfo.hasNextPage\` alone says whether there is more; go on from \`pageInfo.endCursor\`. An unknown query parameter is ignored, unless it is close to a known one or a name by which other APIs page: then it is 400.
Lists and this document are compressed for who sends \`Accept-Encoding: gzip\`, as browsers and \`fetch\` do.

**Bodies** are \`application/json\` in UTF-8. In an optional field, null means the same as leaving it out. Unknown fields are
refused, and named.

**Errors** are \`application/problem+json\` (RFC 9457). Branch on \`code\`. What API Gateway refuses by itself,
before our code runs, such as a request without an Authorization header, has the fixed body \`{"message": "…"}\`, so every error can be read at \`message\`. A path that is not in
this document is its 404.

**What may change within v1**: new operations, new optional parameters and fields of requests, new fields, headers, error
codes and values in responses. Clients must ignore what they do not know. A deprecation is announced by the headers
\`Deprecation\` and \`Sunset\`. The version is that of this document; the typed client has versions of its own.
`
