/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  async app({ stage }) {
    const { providerOf } = await import('./stacks/settings.ts')
    const production = stage === 'production'
    return {
      name: 'embed-access',
      home: 'aws',
      version: '4.17.1',
      // Production keeps its tables when the stage is removed. Every other stage is removed
      // completely.
      removal: production ? 'retain' : 'remove',
      protect: production,
      providers: { aws: providerOf(stage, process.env) },
      // What a removed stage leaves in the state bucket goes as well. Of production a year of
      // deployments stays.
      state: { purge: !production, retention: production ? 250 : 10 },
    }
  },
  async run() {
    const { service } = await import('./stacks/service.ts')
    return service()
  },
})
