/// <reference path="./.sst/platform/config.d.ts" />

export default $config({
  async app({ stage }) {
    const { providerOf } = await import('./stacks/settings.ts')
    const production = stage === 'production'
    return {
      name: 'embed-access',
      home: 'aws',
      version: '4.17.1',
      // Removing production leaves its tables. DNS records stay everywhere (stacks/api.ts).
      removal: production ? 'retain' : 'remove',
      protect: production,
      providers: { aws: providerOf(stage, process.env) },
      // The state of a removed stage is deleted too. Production's last 250 deployments stay.
      state: { purge: !production, retention: production ? 250 : 10 },
    }
  },
  async run() {
    const { service } = await import('./stacks/service.ts')
    return service()
  },
})
