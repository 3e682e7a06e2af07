// The request on the first page. The key is not stored.
{
  const { root } = document.body.dataset
  const section = document.getElementById('try')
  const form = section.querySelector('form')
  const shown = section.querySelector('pre')
  section.hidden = false

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const { key, path } = Object.fromEntries(new FormData(form))
    shown.textContent = '…'
    try {
      const response = await fetch(`${root}${path}`, { headers: { Authorization: `Bearer ${key.trim()}` } })
      const body = JSON.stringify(await response.json(), null, 2)
      shown.textContent = `GET ${path}\n${response.status} ${response.statusText}\n\n${body}`
    } catch (error) {
      shown.textContent = `GET ${path}\n${error.message}`
    }
  })
}
