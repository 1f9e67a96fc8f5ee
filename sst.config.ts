/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  app({ stage }) {
    const production = stage === 'production'
    return {
      name: 'embed-access',
      home: 'aws',
      version: '4.17.1',
      // Production keeps its tables when the stage is removed. Every other stage is removed completely.
      removal: production ? 'retain' : 'remove',
      protect: production,
    }
  },
  async run() {
    const { service } = await import('./stacks/service.ts')
    return service()
  },
})
