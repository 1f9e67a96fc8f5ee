import openapiTS, { astToString } from 'openapi-typescript'

/** The types of the client, made from the OpenAPI document: the content of contract.ts. */
export async function contractTypes(document: object): Promise<string> {
  const types = astToString(await openapiTS(JSON.stringify(document)))
  return `// Made by \`npm run openapi\` from docs/openapi.json.\n\n${types}`
}
