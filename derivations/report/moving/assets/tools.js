// What all pages share: elements by their ids, sliders with labels, axes with curves, and a solver for flows.

const SVG = "http://www.w3.org/2000/svg";

const decimal = (value, digits = 2) => value.toFixed(digits).replace(/^-(0\.?0*)$/, "$1").replace("-", "\u2212");
const short = (value, digits = 3) => {
    const size = Math.abs(value);
    if (size === 0 || (size >= 1e-3 && size < 1e5)) return Number(value.toPrecision(digits)).toString().replace("-", "\u2212");
    const [front, power] = value.toExponential(digits - 1).split("e");
    const raised = [...power.replace("+", "")].map((sign) => (sign === "-" ? "\u207b" : "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"[sign]));
    return `${front.replace("-", "\u2212")}\u00b710${raised.join("")}`;
};
const even = (from, to, count) => Array.from({length: count}, (_, k) => from + (to - from)*k/(count - 1));
const clamp = (value, from, to) => Math.min(Math.max(value, from), to);

// The root is a document or a shadow; `changed` is told the places of the sliders.
function tools(root, changed) {
    const at = (id) => root.getElementById(id);

    function add(parent, name, values = {}, text = "") {
        const made = document.createElementNS(SVG, name);
        for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
        made.textContent = text;
        return parent.appendChild(made);
    }

    // A slider for each name: {label, from, to, step, start, value: what its place means, told: how that is written}.
    function sliders(wanted, moved) {
        const form = at("sliders"), places = {};
        const inputs = Object.entries(wanted).map(([name, asked]) => {
            const row = form.appendChild(document.createElement("div"));
            row.innerHTML = `<label for="${name}">${asked.label}</label>`
                + `<input id="${name}" type="range" min="${asked.from}" max="${asked.to}" step="${asked.step}"`
                + ` value="${asked.start}"><output for="${name}"></output>`;
            return [name, row.querySelector("input"), row.querySelector("output"), asked];
        });
        const read = () => {
            for (const [name, input, output, asked] of inputs) {
                const place = Number(input.value), told = asked.told ?? String;
                places[name] = asked.value ? asked.value(place) : place;
                output.value = told(places[name]);
                input.setAttribute("aria-valuetext", told(places[name]));
            }
            changed({...places});
            return places;
        };
        form.addEventListener("input", (event) => moved(read(), event.target.id));
        form.addEventListener("submit", (event) => event.preventDefault());
        return read();
    }

    // Axes {from, to, name, ticks: numbers or [number, text], log} in an svg; returns where numbers lie, and curves.
    function plot(id, x, y, size = {}) {
        const {wide = 460, high = 300, left = 50, right = 10, top = 10, below = 44} = size, svg = at(id);
        const share = (axis, value) => axis.log
            ? Math.log(Math.max(value, axis.from/1e3)/axis.from)/Math.log(axis.to/axis.from)
            : (value - axis.from)/(axis.to - axis.from);
        const across = (value) => left + share(x, value)*(wide - left - right);
        const up = (value) => high - below - share(y, value)*(high - below - top);
        svg.setAttribute("viewBox", `0 0 ${wide} ${high}`);
        const bottom = high - below;
        for (const tick of y.ticks) {
            const [value, text] = Array.isArray(tick) ? tick : [tick, decimal(tick, 0)];
            add(svg, "path", {class: "grid", d: `M${left} ${up(value).toFixed(1)}H${wide - right}`});
            add(svg, "text", {x: left - 7, y: (up(value) + 4).toFixed(1), "text-anchor": "end"}, text);
        }
        for (const tick of x.ticks) {
            const [value, text] = Array.isArray(tick) ? tick : [tick, decimal(tick, 0)];
            add(svg, "path", {class: "grid", d: `M${across(value).toFixed(1)} ${bottom}V${top}`});
            add(svg, "text", {x: across(value).toFixed(1), y: bottom + 18, "text-anchor": "middle"}, text);
        }
        add(svg, "path", {class: "axis", d: `M${left} ${top}V${bottom}H${wide - right}`});
        add(svg, "text", {x: (left + wide - right)/2, y: bottom + 37, "text-anchor": "middle"}, x.name);
        if (y.name) add(svg, "text", {x: 14, y: (top + bottom)/2, "text-anchor": "middle",
            transform: `rotate(-90 14 ${(top + bottom)/2})`}, y.name);
        add(add(svg, "clipPath", {id: `${id}-frame`}), "rect",
            {x: left, y: top - 2, width: wide - left - right, height: bottom - top + 4});
        const line = (xs, ys) => xs.map((value, k) => [value, ys[k]]).filter((pair) => pair.every(Number.isFinite))
            .map(([h, v], k) => `${k ? "L" : "M"}${across(h).toFixed(1)} ${up(v).toFixed(1)}`).join("");
        const curve = (kind) => {
            const path = add(svg, "path", {class: kind, "clip-path": `url(#${id}-frame)`});
            return (xs, ys) => path.setAttribute("d", line(xs, ys));
        };
        const inside = (element, h, v) => {
            element.setAttribute("cx", across(h).toFixed(1));
            element.setAttribute("cy", clamp(up(v), top, bottom).toFixed(1));
        };
        const upright = (kind) => {
            const path = add(svg, "path", {class: kind});
            return (h) => path.setAttribute("d", Number.isFinite(h) ? `M${clamp(across(h), left, wide - right).toFixed(1)} ${top}V${bottom}` : "");
        };
        const within = (event) => {
            const box = svg.getBoundingClientRect();
            const h = (event.clientX - box.left)*wide/box.width, v = (event.clientY - box.top)*high/box.height;
            return [x.from + (h - left)/(wide - left - right)*(x.to - x.from), y.from + (bottom - v)/(bottom - top)*(y.to - y.from)];
        };
        return {svg, curve, inside, upright, within, line};
    }

    return {at, add, sliders, plot};
}

// A flow from a start to a time, by Bogacki and Shampine's pair of orders 3 and 2: times and states of every step.
function followed(rate, start, end, {tolerance = 1e-6, most = 5000, alive = () => true} = {}) {
    const moved = (state, size, ...parts) =>
        state.map((value, k) => value + size*parts.reduce((sum, [weight, by]) => sum + weight*by[k], 0));
    const times = [0], states = [start];
    let time = 0, state = start, first = rate(start), size = end/1000;
    for (let n = 0; n < most && time < end*(1 - 1e-12); n++) {
        size = Math.min(size, end - time);
        const second = rate(moved(state, size, [1/2, first])), third = rate(moved(state, size, [3/4, second]));
        const there = moved(state, size, [2/9, first], [1/3, second], [4/9, third]), last = rate(there);
        const errors = there.map((value, k) =>
            Math.abs(size*(-5/72*first[k] + second[k]/12 + third[k]/9 - last[k]/8))/(1 + Math.abs(value)));
        const error = Math.max(...errors)/tolerance;
        if (!Number.isFinite(error)) {
            size /= 5;
            if (size < end*1e-9) break;
            continue;
        }
        if (error <= 1) {
            if (!alive(there)) break;
            [time, state, first] = [time + size, there, last];
            times.push(time);
            states.push(state);
        }
        size *= clamp(0.9*Math.pow(error, -1/3), 0.2, 5);
    }
    return {times, states};
}
