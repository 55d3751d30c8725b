# Fits the network with PyTorch, on a GPU if there is one. What is to be done comes on standard
# input, the answers go to standard output (see torch.rs); the steps are those of optimiser.rs and
# model.rs.

import ctypes
import json
import struct
import sys

try:
    import torch
    from torch.nn import functional
except ImportError as error:
    sys.exit(f"PyTorch is missing: {error}")

device = "cuda" if torch.cuda.is_available() else "cpu"
print("PyTorch on", torch.cuda.get_device_name() if device == "cuda" else "the processor", flush=True)
source = sys.stdin.buffer


def read(size):
    data = bytearray(size)
    view, at = memoryview(data), 0
    while at < size:
        got = source.readinto(view[at:])
        if not got:
            sys.exit("the input ends too early")
        at += got
    return data


def tensor(shape, kind):
    size = torch.Size(shape).numel()
    data = read(size * torch.empty(0, dtype=kind).element_size())
    return torch.frombuffer(data, dtype=kind).reshape(shape).to(device)


def answer(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def through(number, whole):
    """`whole` in the place of `number`, with the gradient of `number`."""
    return number + (whole - number).detach()


def rounded(number, unit):
    return through(number, torch.trunc(number * unit + 0.5 * torch.sign(number)) / unit)


def rounded_down(number, unit):
    return through(number, torch.floor(number * unit + 1e-3) / unit)


(size,) = struct.unpack("<I", read(4))
says = json.loads(read(size))
width, hidden, phases, lanes = says["width"], says["hidden"], says["phases"], says["lanes"]
most, activation, hidden_weight = says["most"], says["activation"], says["hidden_weight"]
ends = [width, hidden * width, hidden, hidden, 1]
embeddings = tensor((says["embeddings"], width), torch.float32).requires_grad_()
layers = tensor((phases, sum(ends)), torch.float32).requires_grad_()
means = [[torch.zeros_like(numbers) for _ in range(2)] for numbers in (embeddings, layers)]


def positions(count):
    kinds = [((count, lanes), torch.int32), ((count,), torch.uint8), ((count,), torch.float32)]
    return [tensor(shape, kind) for shape, kind in kinds]


def corrections(weights, phase):
    phase = phase.long()
    bias, matrix, hidden_bias, output, output_bias = layers.split(ends, dim=1)
    table = rounded(embeddings, activation)
    sums = functional.embedding_bag(weights, table, mode="sum")
    sums = sums + rounded(bias, activation)[phase]
    active = rounded_down(sums.clamp(0, most) ** 2, activation)
    # The hidden units of all phases are cheaper than those of each position's own phase alone.
    units = active @ rounded(matrix, hidden_weight).reshape(phases * hidden, width).T
    units = units.reshape(-1, phases, hidden)[torch.arange(len(phase), device=device), phase]
    units = units + rounded(hidden_bias, activation * hidden_weight)[phase]
    units = rounded_down(units.clamp(0, most), activation)
    output = rounded(output, says["output_weight"])[phase]
    return says["scale"] * ((units * output).sum(1) + output_bias[phase, 0])


def move(numbers, means, rate, decay, correction):
    for mean, memory, slope in zip(means, says["memory"], (numbers.grad, numbers.grad**2)):
        mean += (1 - memory) * (slope - mean)
    size = (means[1] * correction[1]).sqrt() + says["tiny"]
    numbers -= rate * (decay * numbers + means[0] * correction[0] / size)
    numbers.grad = None


def step(count, rate, decay, correction):
    weights, phase, wanted = positions(count)
    loss = functional.huber_loss(corrections(weights, phase), wanted, delta=says["huber"])
    loss.backward()
    with torch.no_grad():
        move(embeddings, means[0], rate, decay, correction)
        embeddings.clamp_(-most, most)
        move(layers, means[1], rate, 0, correction)
        limit = 127 / hidden_weight
        layers[:, width : width + hidden * width].clamp_(-limit, limit)


while True:
    kind, count, *rates = struct.unpack("<cI4f", read(21))
    if kind == b"s":
        step(count, rates[0], rates[1], rates[2:])
    elif kind == b"e":
        weights, phase, wanted = positions(count)
        with torch.no_grad():
            error = corrections(weights, phase) - wanted
        answer(struct.pack("<d", (error.double() ** 2).sum().item()))
    else:
        for numbers in (embeddings, layers):
            numbers = numbers.detach().cpu().contiguous()
            answer(ctypes.string_at(numbers.data_ptr(), 4 * numbers.numel()))
        break
