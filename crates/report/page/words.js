// Words of the page in English and German: the English ones are the keys of one table.

/** @type {Record<string, string>} */
const GERMAN = {
  // Phases, events.
  flight: 'fliegt', sliding: 'gleitet', rolling: 'rollt', resting: 'ruht', compressed: 'gedrückt', flying: 'fliegt', friction: 'Reibung',
  impact: 'Stoß', landing: 'Landung', 'lift-off': 'Abheben', slip: 'Rutschen', stick: 'Haften', rest: 'Ruhe', 'end-of-ground': 'Ende der Bahn', touch: 'Berührung', release: 'Loslassen', watch: 'Messstelle',
  // The bar on top, Share, Save.
  Share: 'Teilen', Save: 'Sichern', Data: 'Daten', 'all examples (o)': 'alle Beispiele (o)', 'what was checked': 'was geprüft wurde', 'copy a link to exactly this': 'Link genau hierauf kopieren',
  'picture, film, data, paper': 'Bild, Film, Daten, Papier', 'events, graphs, audit, scenario (d)': 'Ereignisse, Kurven, Bilanz, Szenario (d)', 'light or dark': 'hell oder dunkel', 'keys, language (?)': 'Tasten, Sprache (?)',
  Picture: 'Bild', Film: 'Film', 'WebM, from here to the end': 'WebM, von hier bis zum Ende', 'Figures for print': 'Abbildungen für Druck', Motion: 'Bewegung', Events: 'Ereignisse', Scenario: 'Szenario', 'This page': 'Diese Seite', 'Two pages': 'Zwei Seiten', print: 'Druck',
  'Link copied: this track, these values, this moment.': 'Link kopiert: diese Bahn, diese Werte, dieser Augenblick.', 'Filming: a pause ends it.': 'Der Film läuft: Pause beendet ihn.', 'This browser makes no films.': 'Dieser Browser macht keine Filme.',
  // Readings.
  speed: 'Tempo', 'ground pushes': 'Boden drückt', height: 'Höhe', spin: 'Drall', heat: 'Wärme', all: 'alles', Energy: 'Energie', 'Energy now': 'Energie jetzt', Legend: 'Legende', 'potential energy, from the lowest place of the path': 'Lageenergie, vom tiefsten Ort der Bahn an', run: 'Lauf', ball: 'Kugel',
  'a point mass, drawn as a ball': 'ein Massenpunkt, als Kugel gezeichnet', 'ball drawn {0}× its size': 'Kugel {0}-fach gezeichnet', 'a dot every {0}': 'ein Punkt alle {0}', '∞ bounces': '∞ Sprünge', '{0} bounces …': '{0} Sprünge …', '{0} bounces, {1} to {2} s': '{0} Sprünge, {1} bis {2} s', '{0} at {1} s': '{0} bei {1} s', 'impulse {0}': 'Kraftstoß {0}', 'a click: Zeno magnifier': 'Klick: Zeno-Lupe',
  // Tools, keys.
  magnify: 'Lupe', 'Zeno magnifier': 'Zeno-Lupe', 'Zeno magnifier (z)': 'Zeno-Lupe (z)', 'points of the track (e)': 'Punkte der Bahn (e)', 'arrows: velocity and forces (v)': 'Pfeile: Geschwindigkeit und Kräfte (v)', 'the whole track (0)': 'die ganze Bahn (0)', 'follow the ball (f)': 'der Kugel folgen (f)', 'hear the bounces (m)': 'Sprünge hören (m)',
  'slow down with it': 'mit ihr verlangsamen', close: 'schließen', 'to go': 'bis zum Ende', bounce: 'Sprung', hop: 'Höhe', '{0} of ∞': '{0} von ∞', 'each hop lasts {0} × the last': 'jeder Sprung dauert {0} × den vorigen', 'the bouncing begins at {0} s': 'das Springen beginnt bei {0} s', 'All the rest in one sum.': 'Der ganze Rest in einer Summe.', 'Now it rests.': 'Jetzt ruht sie.', 'Now it rolls.': 'Jetzt rollt sie.', 'Now it slides.': 'Jetzt gleitet sie.', 'No pile of bounces in this run.': 'In diesem Lauf häufen sich keine Sprünge.',
  'a fingertip': 'eine Fingerkuppe', 'a grain of rice': 'ein Reiskorn', 'a grain of sand': 'ein Sandkorn', 'a hair': 'ein Haar', 'a blood cell': 'eine Blutzelle', 'a bacterium': 'ein Bakterium', 'a virus': 'ein Virus', 'the skin of a cell': 'die Haut einer Zelle', 'a molecule': 'ein Molekül', 'an atom': 'ein Atom', 'less than an atom': 'weniger als ein Atom',
  Keys: 'Tasten', space: 'Leertaste', Home: 'Pos1', End: 'Ende', 'play, pause': 'abspielen, Pause', 'event before': 'Ereignis davor', 'event after': 'Ereignis danach', 'one picture back': 'ein Bild zurück', 'one picture on': 'ein Bild vor', slower: 'langsamer', faster: 'schneller', start: 'Anfang', end: 'Ende', 'keep this run as a ghost': 'diesen Lauf als Geist behalten', 'follow the ball': 'der Kugel folgen', 'the whole track': 'die ganze Bahn', 'zoom in': 'näher', 'zoom out': 'weiter weg', arrows: 'Pfeile', 'points of the track': 'Punkte der Bahn', 'sound of bounces': 'Ton der Sprünge', examples: 'Beispiele', data: 'Daten', 'graphs: less time': 'Kurven: weniger Zeit', 'graphs: more time': 'Kurven: mehr Zeit', 'graphs: all': 'Kurven: alles', 'large, as for a projector': 'groß, wie für den Beamer', 'keys, language': 'Tasten, Sprache', 'drag, wheel': 'Ziehen, Rad', 'move, zoom; on a graph: choose a stretch of time': 'verschieben, zoomen; auf Kurven: Zeitspanne wählen', Language: 'Sprache',
  // The tour.
  'A tour of one minute': 'Rundgang in einer Minute', 'go on': 'weiter', 'Play: the path grows behind the ball, with a dot every so often. Far apart they are where it is fast.': 'Abspielen: Hinter der Kugel wächst ihr Weg, mit einem Punkt in gleichen Zeitabständen. Wo sie schnell ist, liegen sie weit auseinander.',
  'The whole run: drag anywhere in it. Ticks are impacts, the band below says whether the ball flies, slides, rolls or rests.': 'Der ganze Lauf: überall ziehen. Striche sind Stöße, das Band darunter sagt, ob die Kugel fliegt, gleitet, rollt oder ruht.', 'Slow motion, down to a thousandth.': 'Zeitlupe, bis zu einem Tausendstel.', 'Where the energy is: what goes into heat never comes back.': 'Wo die Energie ist: Was Wärme wird, kommt nie zurück.',
  'Bounces that become smaller and smaller pile up: infinitely many of them in a finite time. The magnifier shows each as large as the last.': 'Immer kleinere Sprünge häufen sich: unendlich viele in endlicher Zeit. Die Lupe zeigt jeden so groß wie den vorigen.', 'Change a number, and the run follows at once. Keep a run as a ghost to compare with, also with what other programs do.': 'Eine Zahl ändern, und der Lauf folgt sofort. Einen Lauf als Geist behalten und vergleichen, auch mit dem, was andere Programme tun.',
  'What was checked: that no touch is missed, and that the arithmetic keeps the energy.': 'Was geprüft wurde: dass keine Berührung verpasst wird und das Rechnen die Energie erhält.', 'Other tracks are here. All of it can be saved and sent.': 'Andere Bahnen sind hier. Alles lässt sich sichern und verschicken.',
  // Time.
  Time: 'Zeit', Play: 'Abspielen', Pause: 'Pause', 'start (Home)': 'Anfang (Pos1)', 'event before (←)': 'Ereignis davor (←)', 'event after (→)': 'Ereignis danach (→)', '(space)': '(Leertaste)', 'slow motion': 'Zeitlupe', 'real time': 'Echtzeit', Graph: 'Kurve', Speed: 'Tempo', Height: 'Höhe', 'Ground push': 'Bodendruck', 's of {0}': 's von {0}', 'event {0} of {1}': 'Ereignis {0} von {1}', 'Time left to the last bounce, logarithmic': 'Zeit bis zum letzten Sprung, logarithmisch', 'events after {0} s are left out': 'Ereignisse nach {0} s sind ausgelassen',
  // Captions.
  'Thrown.': 'Geworfen.', 'Held still.': 'Losgelassen.', 'Press play.': 'Abspielen drücken.', 'Press play, or drag the ball.': 'Abspielen drücken oder die Kugel ziehen.', '{0} balls.': '{0} Kugeln.', 'Click one to choose it.': 'Ein Klick wählt eine.', 'bounce {0}': 'Sprung {0}', 'hits at {0}, leaves at {1}': 'trifft mit {0}, verlässt mit {1}', '{0} % of all energy turns to heat': '{0} % aller Energie werden Wärme', 'bouncing itself out': 'springt sich aus', '{0} bounces, ever smaller': '{0} Sprünge, immer kleiner',
  lands: 'landet', 'infinitely many bounces are over, now it {0}': 'unendlich viele Sprünge sind vorbei, jetzt {0} sie', 'now it {0}': 'jetzt {0} sie', rests: 'ruht', rolls: 'rollt', slides: 'gleitet', slips: 'rutscht', 'it would need more grip than μ = {0} can give': 'sie brauchte mehr Haftung, als μ = {0} gibt', grips: 'haftet', 'sliding has become rolling': 'aus Gleiten ist Rollen geworden', 'lifts off': 'hebt ab', 'the ground curves away faster than gravity can bend the path': 'der Boden weicht schneller, als die Schwerkraft die Bahn biegt', 'leaves the track': 'verlässt die Bahn', 'the track ends here': 'die Bahn endet hier', touches: 'berührt', 'the ground gives way': 'der Boden gibt nach', 'lets go': 'löst sich', passes: 'kommt vorbei', 'hits ball {0}': 'trifft Kugel {0}',
  'Points of the track:': 'Punkte der Bahn:', 'drag them; a run follows each change.': 'ziehen; jeder Änderung folgt ein Lauf.', 'This track has no points to drag: its numbers and formulas are at the right.': 'Diese Bahn hat keine Punkte: ihre Zahlen und Formeln stehen rechts.',
  'Only a track that is a list of points can lose one.': 'Nur eine Bahn aus einer Liste von Punkten kann einen verlieren.', 'Only a track that is a list of points takes more of them.': 'Nur eine Bahn aus einer Liste von Punkten nimmt weitere auf.', 'drag them; a double click adds one, Delete takes the last touched away.': 'ziehen; ein Doppelklick fügt einen hinzu, Entf nimmt den zuletzt berührten weg.', 'drag them; hold the track to add one, a point to take it away.': 'ziehen; auf der Bahn halten fügt einen hinzu, auf einem Punkt nimmt ihn weg.',
  // The proof.
  Checked: 'Geprüft', 'no contact missed · energy kept to {0}': 'kein Kontakt verpasst · Energie auf {0} erhalten', 'the last digit': 'die letzte Stelle', 'Not proven': 'Nicht bewiesen', 'time stepping looks only now and then': 'Zeitschritte sehen nur ab und zu hin', Warned: 'Gewarnt', '{0} warnings': '{0} Warnungen', Stopped: 'Angehalten', 'at {0} s': 'bei {0} s', 'Why you can trust this picture': 'Warum man diesem Bild trauen kann', 'What is known of this picture': 'Was von diesem Bild bekannt ist',
  'No touch is missed, none invented.': 'Kein Kontakt wird verpasst, keiner erfunden.', 'Between two moments the path is a formula. The computer does not peek at it now and then: it finds the first touch, or proves that there is none. {0} searches in this run.': 'Zwischen zwei Augenblicken ist die Bahn eine Formel. Der Rechner schaut nicht ab und zu nach: Er findet die erste Berührung oder beweist, dass es keine gibt. {0} Suchen in diesem Lauf.', 'This run goes in steps of time: what happens within one is not looked for.': 'Dieser Lauf geht in Zeitschritten: Was in einem geschieht, wird nicht gesucht.', 'No energy is lost by the arithmetic.': 'Das Rechnen verliert keine Energie.', 'Energy has an account.': 'Energie hat ein Konto.', '{0} at the start, {1} at the end, {2} became heat. Unexplained: {3}.': '{0} am Anfang, {1} am Ende, {2} wurden Wärme. Unerklärt: {3}.', 'Bouncing comes to its end.': 'Das Springen hat ein Ende.', 'The last bounces, infinitely many, are one sum: its error is at most {0}.': 'Die letzten Sprünge, unendlich viele, sind eine Summe: ihr Fehler ist höchstens {0}.', 'See the audit': 'Zur Bilanz',
  // The rail.
  'Change it': 'Ändern', 'This run': 'Dieser Lauf', reset: 'zurück', Undo: 'Rückgängig', Redo: 'Wiederholen', undo: 'rückgängig', redo: 'wieder', 'A recorded run. To change it:': 'Ein aufgezeichneter Lauf. Zum Ändern:', 'height of the start': 'Höhe des Starts', 'speed to the right': 'Tempo nach rechts', 'start along the track': 'Start auf der Bahn', 'speed along the track': 'Tempo auf der Bahn', bounciness: 'Sprungkraft', grip: 'Haftung', 'lump of clay': 'Lehmklumpen', 'super ball': 'Flummi', ice: 'Eis', rubber: 'Gummi', 'no bounce in this run: it changes nothing': 'kein Sprung in diesem Lauf: ändert nichts', Gravity: 'Schwerkraft', Moon: 'Mond', Mars: 'Mars', Earth: 'Erde', Jupiter: 'Jupiter', Ball: 'Kugel', solid: 'voll', hollow: 'hohl', ring: 'Ring', 'More: all its numbers': 'Mehr: alle Zahlen', Compare: 'Vergleichen', 'Keep as ghost': 'Als Geist behalten', remove: 'entfernen', 'now {0} apart': 'jetzt {0} auseinander', 'fell through the track at {0} s': 'fiel bei {0} s durch die Bahn', 'with time stepping': 'mit Zeitschritten', 'with a naive loop': 'mit naiver Schleife', 'Moreau, 240 steps a second': 'Moreau, 240 Schritte je Sekunde', 'a naive loop, 240 looks a second': 'naive Schleife, 240 Blicke je Sekunde', 'Kept as ghost B. Now change something.': 'Als Geist B behalten. Jetzt etwas ändern.', 'as it was': 'wie er war', Try: 'Probieren', 'How high does a livelier ball bounce?': 'Wie hoch springt ein besserer Ball?', 'And on ice?': 'Und auf Eis?', 'How is it on the Moon?': 'Wie ist es auf dem Mond?', 'Is a ring slower than a ball?': 'Ist ein Ring langsamer als eine Kugel?', Runs: 'Läufe', gravity: 'Schwerkraft', mass: 'Masse', radius: 'Radius', method: 'Verfahren', balls: 'Kugeln', duration: 'Dauer', 'point mass': 'Massenpunkt', infinite: 'unendlich',
  Contact: 'Kontakt', Start: 'Start', Ground: 'Boden', Forces: 'Kräfte', Solver: 'Verfahren', Rows: 'Zeilen', 'Not saved: ': 'Nicht gesichert: ', 'no number: {0} holds': 'keine Zahl: {0} gilt',
  'Choose a track': 'Bahn wählen', 'Every one is a file of a few lines, and all can be changed. A drawing (SVG), a GPS track (GPX) or a scenario of yours is dropped on the page, or opened:': 'Jede ist eine Datei mit wenigen Zeilen, und alle lassen sich ändern. Eine eigene Zeichnung (SVG), eine GPS-Spur (GPX) oder ein Szenario zieht man auf die Seite, oder öffnet es:', 'open a file': 'Datei öffnen', 'A file of {0} MB is too large for a page.': 'Eine Datei von {0} MB ist zu groß für eine Seite.', 'This track is too long for a link: save this page, and send it.': 'Diese Bahn ist zu lang für einen Link: sichere diese Seite und verschicke sie.', '✕ close': '✕ schließen',
  // The drawer.
  'Beside others': 'Neben anderen', Others: 'Andere', 'run all of them': 'alle rechnen lassen', 'beside this run': 'neben diesem Lauf', 'first touch late by': 'erste Berührung zu spät um', 'off at {0}': 'daneben bei {0}', 'with matter-js': 'mit matter-js', 'matter-js 0.20 (MIT), 60 steps a second': 'matter-js 0.20 (MIT), 60 Schritte je Sekunde', 'Errors of other programs on this track, from the same start: against this run, whose contacts are certified.': 'Fehler anderer Programme auf dieser Bahn, vom selben Start: gegen diesen Lauf, dessen Kontakte bewiesen sind.',
  Graphs: 'Kurven', Phases: 'Phasen', Study: 'Studie', 'less time': 'weniger Zeit', 'more time': 'mehr Zeit', '… {0} more bounces, each {1} of the one before': '… {0} weitere Sprünge, jeder {1} des vorigen', 'show all': 'alle zeigen', 'all columns': 'alle Spalten',
};

let german = /^de\b/.test(navigator.language);

/** Whether words have a translation. @param {string} english @returns {boolean} */
export const translated = (english) => english in GERMAN;

/** @returns {'en' | 'de'} */
export const language = () => (german ? 'de' : 'en');

/** Words in the language of the page; `{0}`, `{1}` … stand for what is given. @param {string} english @param {...(string | number)} given @returns {string} */
export function t(english, ...given) {
  const words = (german && GERMAN[english]) || english;
  return given.length === 0 ? words : words.replace(/\{(\d)\}/g, (_, i) => String(given[Number(i)] ?? ''));
}

/** What stands in the page itself: how each text is set, and its English. @type {[(words: string) => void, string][]} */
const standing = [];

/** Notes the texts of the page as it is. @param {HTMLElement} root */
export function note(root) {
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const found = node;
    if (translated((node.textContent ?? '').trim())) standing.push([(words) => { found.textContent = words; }, (node.textContent ?? '').trim()]);
  }
  for (const element of root.querySelectorAll('[title], [aria-label]')) {
    for (const name of ['title', 'aria-label']) if (translated(element.getAttribute(name) ?? '')) standing.push([(words) => element.setAttribute(name, words), element.getAttribute(name) ?? '']);
  }
}

/** Says them in a language. @param {'en' | 'de'} code */
export function speak(code) {
  german = code === 'de';
  document.documentElement.lang = code;
  for (const [set, english] of standing) set(t(english));
}
