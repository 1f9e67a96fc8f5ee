import type { Resource } from './evaluate.ts'

type Request = {
  getType(): string
  getName(): string
  getObject(): unknown
  getRetainondelete(): boolean
  getIgnorechangesList(): string[]
  getDependenciesList(): string[]
}
type Monitor = { registerResource(request: Request, callback: unknown): void }

/** Notes all that is registered from now on, options included, which mocks don't get to see. */
export function recordResources(require: NodeJS.Require): () => Resource[] {
  const { getMonitor } = require('@pulumi/pulumi/runtime/settings') as { getMonitor(): Monitor }
  const { deserializeProperties } = require('@pulumi/pulumi/runtime/rpc') as {
    deserializeProperties(properties: unknown): Resource['inputs']
  }
  const monitor = getMonitor()
  const register = monitor.registerResource.bind(monitor)
  const resources: Resource[] = []
  monitor.registerResource = (request, callback) => {
    resources.push({
      type: request.getType(),
      name: request.getName(),
      inputs: plain(deserializeProperties(request.getObject())) as Resource['inputs'],
      retained: request.getRetainondelete(),
      ignored: request.getIgnorechangesList(),
      after: request.getDependenciesList().map((urn) => urn.split('::').at(-1) as string),
    })
    return register(request, callback)
  }
  return () => resources
}

/** Pulumi's marks for secrets taken off, functions and other things that no message can carry left out. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value === 'object' && value !== null) {
    if ('value' in value && Object.values(value).includes(secretMark)) return plain(value.value)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]))
  }
  return typeof value === 'function' ? undefined : value
}

/** From Pulumi's protocol. */
const secretMark = '1b47061264138c4ac30d75fd1eb44270'
