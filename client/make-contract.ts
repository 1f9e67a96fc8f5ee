import openapiTS, { astToString } from 'openapi-typescript'

/** Makes the content of contract.ts, the types of the client, from the OpenAPI document. */
export async function contractTypes(document: object): Promise<string> {
  const types = astToString(await openapiTS(JSON.stringify(document)))
  return `// Made by \`npm run openapi\` from docs/openapi.json.\n\n${types}`
}
