/* Reads matrix.txt, makes the first move that wins at once, or else the one farthest ahead. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static char text[1 << 16], board[8][8];
static size_t size, at;
static int line_number;

static int refuse(const char *what) {
    fprintf(stderr, "matrix.txt:%d: %s\n", line_number, what);
    exit(2);
}

/* The next line without its end; 0 after the last one. */
static int next_line(char *line, size_t *length) {
    if (at >= size) return 0;
    size_t end = at;
    while (end < size && text[end] != '\n') end++;
    *length = end - at;
    if (*length > 200) refuse("the line is too long");
    memcpy(line, text + at, *length);
    at = end + 1;
    if (*length && line[*length - 1] == '\r') --*length;
    line[*length] = 0;
    line_number++;
    return 1;
}

/* The fields of the next line, as many as wanted, with Cyrillic letters as Latin ones. */
static void fields(char line[256], char found[3][256], int wanted) {
    size_t length;
    int count = 0, inside = 0, n = 0;
    if (!next_line(line, &length)) refuse("the file ends too early");
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)line[i], second = (unsigned char)line[i + 1];
        if (c == 0xd0 && (second == 0x90 || second == 0x92 || second == 0x94)) c = second + 0x30, i++;
        c = c == 0xc0 ? 'A' : c == 0xc2 ? 'B' : c == 0xc4 ? 'D' : c ? c : 1;
        if (c == ' ' || c == '\t') {
            inside = 0;
            continue;
        }
        if (!inside && ++count > wanted) refuse("there are too many fields");
        n = inside ? n : 0;
        inside = 1;
        found[count - 1][n++] = (char)c;
        found[count - 1][n] = 0;
    }
    if (count < wanted) refuse("there are too few fields");
}

static double decimal(const char *field) {
    char *end;
    double value = strtod(field, &end);
    if (strspn(field, "0123456789+-.eE") != strlen(field) || *end || end == field || !isfinite(value))
        refuse("this is not a number");
    return value;
}

static int inside(int y, int x) { return y >= 0 && y < 8 && x >= 0 && x < 8; }

/* Where a pawn comes to in a direction; 0 if it cannot go. */
static int target(int y, int x, int dx, int *ty, int *tx) {
    char mine = board[y][x];
    int dy = mine == 'A' ? -1 : 1;
    *ty = y + dy, *tx = x + dx;
    if (!inside(*ty, *tx)) return 0;
    if (board[*ty][*tx] == '-') return 1;
    if (board[*ty][*tx] != (mine == 'A' ? 'B' : 'A')) return 0;
    *ty += dy, *tx += dx;
    return inside(*ty, *tx) && board[*ty][*tx] == '-';
}

static int can_move(char side) {
    int ty, tx;
    for (int i = 0; i < 64; i++)
        for (int dx = -1; dx < 2; dx++)
            if (board[i / 8][i % 8] == side && target(i / 8, i % 8, dx, &ty, &tx)) return 1;
    return 0;
}

/* The result when this side is to make this half-move. */
static char result(char side, long number) {
    char other = side == 'A' ? 'B' : 'A';
    if (!can_move(side)) return side;
    if (memchr(board[other == 'A' ? 0 : 7], other, 8)) return other;
    return number > 60 ? 'D' : 'U';
}

static void play(int y, int x, int ty, int tx) {
    if (abs(ty - y) == 2) board[(y + ty) / 2][(x + tx) / 2] = '-';
    board[ty][tx] = board[y][x];
    board[y][x] = '-';
}

int main(void) {
    static char turn[3][256], accounts[2][3][256], lines[2][256], row[3][256], line[256];
    char side, before[8][8];
    double seconds[2];
    int pawns[2] = {0, 0}, best = -1, by = 0, bx = 0, bty = 0, btx = 0, ty, tx;
    size_t length;
    FILE *file = fopen("matrix.txt", "r+b");
    if (!file) refuse("the file cannot be opened");
    size = fread(text, 1, sizeof text - 1, file);
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) at = 3;
    fields(line, turn, 3);
    side = turn[0][0];
    if (strcmp(turn[0], "A") && strcmp(turn[0], "B")) refuse("the player is not A or B");
    if (strspn(turn[1], "0123456789") != strlen(turn[1]) || strlen(turn[1]) > 9) refuse("this is not a number");
    long number = strtol(turn[1], NULL, 10);
    if (number < 1 || number > 61) refuse("the number is not from 1 to 61");
    if ((number % 2 == 1) != (side == 'A')) refuse("player and number do not belong together");
    if (strlen(turn[2]) != 1 || !strchr("ABDU", turn[2][0])) refuse("the result is not A, B, D or U");
    for (int i = 0; i < 2; i++) {
        fields(lines[i], accounts[i], 2);
        decimal(accounts[i][0]);
        seconds[i] = decimal(accounts[i][1]);
    }
    for (int y = 0; y < 8; y++) {
        fields(line, row, 1);
        if (strlen(row[0]) != 8 || strspn(row[0], "AB-*") != 8) refuse("this is no row of the board");
        memcpy(board[y], row[0], 8);
        for (int x = 0; x < 8; x++) {
            if (board[y][x] == 'A' || board[y][x] == 'B')
                if (++pawns[board[y][x] == 'B'] > 8) refuse("there are too many pawns");
        }
    }
    while (next_line(line, &length))
        for (size_t i = 0; i < length; i++)
            if (!line[i] || !strchr(" \t\r\x1a", line[i])) refuse("something follows the last row");
    line_number = 1;
    if (memchr(board[0], 'A', 8) && side == 'A') refuse("a pawn has reached the far edge before");
    if (memchr(board[7], 'B', 8) && side == 'B') refuse("a pawn has reached the far edge before");
    if (turn[2][0] != 'U' || result(side, number) != 'U') refuse("the game is over");
    memcpy(before, board, sizeof board);
    for (int y = 0; y < 8; y++)
        for (int x = 0; x < 8; x++)
            for (int dx = -1; dx < 2; dx++) {
                if (board[y][x] != side || !target(y, x, dx, &ty, &tx)) continue;
                play(y, x, ty, tx);
                int value = result(side == 'A' ? 'B' : 'A', number + 1) == side ? 100 : side == 'A' ? 7 - ty : ty;
                memcpy(board, before, sizeof board);
                if (value > best) best = value, by = y, bx = x, bty = ty, btx = tx;
            }
    play(by, bx, bty, btx);
    char other = side == 'A' ? 'B' : 'A';
    double left = seconds[side == 'B'] - (double)clock() / CLOCKS_PER_SEC;
    sprintf(lines[side == 'B'], "%s %.2f", accounts[side == 'B'][0], left > 0 ? left : 0);
    int count = sprintf(text, "%c %ld %c\n%s\n%s\n", other, number + 1, result(other, number + 1), lines[0], lines[1]);
    for (int y = 0; y < 8; y++) count += sprintf(text + count, "%.8s\n", board[y]);
    freopen("matrix.txt", "wb", file);
    fwrite(text, 1, (size_t)count, file);
    return fclose(file) ? 2 : 0;
}
