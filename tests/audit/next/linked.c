/* Linked with the library that it tests. */
int main(void)
{
    return 0;
}
