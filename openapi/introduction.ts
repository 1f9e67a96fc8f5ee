export const introduction = `Embed sessions, the workbooks that embed tenants can access, dbt sync
history and scheduled notifications.

**Embedding.** Your backend generates a session with what the end user may see, and hands its id to
the browser. The browser redeems it, once, for a signed token.

**Lists** have pages. \`first\` is the largest number of items on a page, \`after\` a cursor. A page
may end early: it then has fewer items than \`first\`, even none. \`pageInfo.hasNextPage\` alone
says whether there is more; go on from \`pageInfo.endCursor\`. The service ignores an unknown query
parameter. But it answers 400 if the name is close to a known one, or is one by which other APIs
page, and if a known parameter is given twice. It compresses lists and this document for clients
that send \`Accept-Encoding: gzip\`, as browsers and \`fetch\` do.

**Bodies** are \`application/json\` in UTF-8. An optional field may be null, which means the same as
no field. Only \`externalId\` of a revocation must not be null. The service refuses unknown fields,
and names them. It refuses half of a surrogate pair in any text. U+FFFD stands where bytes were not
UTF-8, so it is refused in names, ids, e-mail addresses, filters and what decides who sees what.

**Errors** are \`application/problem+json\` (RFC 9457). Branch on \`code\`. API Gateway refuses some
requests before our code runs, such as one without an Authorization header. Its answers have the
fixed body \`{"message": "…"}\`, so every error has \`message\`. It answers 404 to a path or
method that is not in this document.

**Generated clients.** openapi-generator needs \`useOneOfDiscriminatorLookup=true\` for Go. What it
makes for Java does not compile.

**What may change within v1**: new operations, new optional parameters and fields of requests, new
fields, headers, error codes and values in responses. Clients must ignore what they do not know. The
headers \`Deprecation\` and \`Sunset\` announce a deprecation. The version is that of this document;
the typed client has versions of its own.
`
