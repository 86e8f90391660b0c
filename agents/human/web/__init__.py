"""The browser app: a table for people and agents, served to this machine alone.

``naips play --web`` starts it. All state is on the server: a page gets what its seat may see
(``page``), and sends back the id of an action. ``match`` is a match in progress, ``store`` keeps
matches and replays in a folder, so that they outlive the server, ``app`` answers requests, and
``static`` holds the page itself: plain HTML, CSS and JavaScript, nothing of it from elsewhere.
"""
