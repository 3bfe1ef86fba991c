/** What a browser shows at the address `up` prints: no script, no secret, nothing about the repository. */
export const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Headgate is running</title>
<link rel="stylesheet" href="/page.css">
<link rel="icon" href="/icon.svg" type="image/svg+xml">
</head>
<body>
<main>
<h1>Headgate is running</h1>
<p>This is the local server of one repository. It answers only programs on this computer that know
its token.</p>
<h2>What to do next</h2>
<dl>
<dt><code>headgate status</code></dt><dd>what Headgate sees: repository, store, server</dd>
<dt><code>headgate events --follow</code></dt><dd>watch what happens</dd>
<dt><code>headgate up --stop</code></dt><dd>stop this server</dd>
</dl>
</main>
</body>
</html>
`;

/** A gate in a channel: without it every browser asks for one and notes an error. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">
<path d="M1 3h14v2H1z" fill="#5b6b7b"/><path d="M2 5h2v10H2zM12 5h2v10h-2z" fill="#5b6b7b"/>
<path d="M5 6h6v5H5z" fill="#1f7a8c"/><path d="M4 13h8v2H4z" fill="#7fc8d8"/>
</svg>
`;

export const pageStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.1rem; margin-top: 2rem; }
dt { margin-top: .75rem; }
dd { margin: 0; opacity: .75; }
code { font: 0.95em ui-monospace, monospace; }
`;
