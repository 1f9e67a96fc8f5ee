// Swagger UI is dark by a class, the rest of the page by the system's setting.
const dark = matchMedia('(prefers-color-scheme: dark)')
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', follow)
follow()

const reference = SwaggerUIBundle({
  url: '/api/v1/spec',
  dom_id: '#reference',
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  // By default a badge asks a validator on the internet.
  validatorUrl: 'none',
  async onComplete() {
    const { key } = await (await fetch('/docs/demo-key.json')).json()
    if (key) reference.preauthorizeApiKey('bearer', key)
  },
})

// By itself the dialog of credentials scrolls down to the last scheme, and hides the one that is
// filled in.
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.authorize')) return
  setTimeout(() => {
    document.querySelector('.modal-ux-content button')?.focus()
    document.querySelector('.modal-ux-content')?.scrollTo(0, 0)
  })
})
