// Entry point of the console in the browser: renders `App` into the element of `index.html`.
import { render } from 'preact'
import { App } from './app.tsx'
import './style.css'

render(<App />, document.getElementById('app')!)
