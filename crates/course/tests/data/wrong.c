/* Plays in the corner, whether it may or not. */
#include <stdio.h>

int main(void) {
    fprintf(stderr, "thinking\n");
    printf("0,0\n");
    return 0;
}
