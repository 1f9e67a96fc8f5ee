import openapiTS, { astToString } from 'openapi-typescript'

/** Makes the content of contract.ts, the types of the client, from the OpenAPI document. */
export async function contractTypes(document: object): Promise<string> {
  // In TypeScript all numbers are alike. Each would get a comment with its format.
  const withoutFormats = JSON.stringify(document, (_, value) =>
    value === 'int64' || value === 'double' ? undefined : value,
  )
  const types = astToString(await openapiTS(withoutFormats))
  return `// Made by \`npm run openapi\` from docs/openapi.json.\n\n${types}`
}
